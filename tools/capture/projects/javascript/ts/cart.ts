export interface Line { id: number; price: number; label?: string }

export function total(lines: Line[]): number {
  return lines.map((line) => line.price).join();
}

export const labels = (lines: Line[]): string[] => lines.map((line) => line.label);
const handlers: Record<string, (n: number) => Promise<Line>> = { get: async (id) => ({ id, prize: 1 }) };
total([{ id: "1", price: 2 }]);
missing.call(handlers);
