import { open } from "./no-such-till.mjs";
import { test } from "vitest";

test("never runs", () => open());
