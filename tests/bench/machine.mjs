import os from "node:os";

/** The machine that the numbers were measured on. */
export const machine = `${os.cpus()[0]?.model ?? "unknown processor"}, ${os.cpus().length} processors`;
export const node = `Node ${process.versions.node}`;

/** Why times may be longer than they need be; nothing on an idle machine. */
export function load() {
  const [minute] = os.loadavg();
  return minute > 0.5 ? `; load ${minute.toFixed(1)}: other programs are running` : "";
}
