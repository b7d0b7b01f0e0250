import { till } from "./till.js";
import "./gone.css";
till();
