// Next: a page whose server part and client part both compute.
import { ATTRIBUTE, MARK, probing } from "../programs.mjs";

const CLIENT = `"use client";
import { useEffect, useState } from "react";
${probing()}
export default function Client() {
  const [json, setJson] = useState();
  useEffect(() => {
    probe(load).then(setJson, (error) => setJson(JSON.stringify({ error: String(error) })));
  }, []);
  return json ? <p ${ATTRIBUTE}={json}>client</p> : null;
}
`;
const SERVER = `import Client from "./client";
${probing()}
export const dynamic = "force-dynamic";
export default async function Page() {
  return <main><p ${ATTRIBUTE}={await probe(load)}>server</p><Client /></main>;
}
`;
const LAYOUT = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;
const START = `import { execFileSync } from "node:child_process";
const next = (...args) => execFileSync(process.execPath, ["node_modules/next/dist/bin/next", ...args], { stdio: "inherit" });
next("build");
next("start", "--hostname", "127.0.0.1", "--port", process.argv[2]);
`;

const EDGE = `${probing()}
export const runtime = "edge";
export const dynamic = "force-dynamic";
export const GET = async () => new Response("${MARK}" + (await probe(load)));
`;

const next = {
  entry: "posenc",
  packages: { next: "^16", react: "^19", "react-dom": "^19" },
  command: ["node", "start.mjs", "{port}"],
  env: { NEXT_TELEMETRY_DISABLED: "1" },
  seconds: 300,
};

export const rows = [
  {
    ...next,
    name: "Next 16, server and client",
    files: { "app/layout.js": LAYOUT, "app/page.js": SERVER, "app/client.js": CLIENT, "start.mjs": START },
    read: "served",
    results: 2,
  },
  {
    ...next,
    name: "Next 16, edge runtime",
    files: { "app/route.js": EDGE, "start.mjs": START },
    read: "answer",
  },
];
