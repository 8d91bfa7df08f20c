import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "../fixtures.mjs";

// The pages are read without their scripts, too: by readers, search engines and those with whom a link is shared.

const built = fileURLToPath(new URL("../../../build/page/", import.meta.url));

for (const name of ["index", "checked", "tools"])
  test(`${name}.html has a title, description, picture and data`, () => {
    const html = readFileSync(`${built}${name}.html`, "utf8");
    const [, title] = html.match(/<title>(.+?)<\/title>/);
    const [, description] = html.match(/<meta name="description" content="(.+?)"/);
    const meta = Object.fromEntries(
      [...html.matchAll(/<meta property="(.+?)" content="(.+?)"/g)].map(([, key, value]) => [key, value]),
    );
    expect(meta["og:title"]).toBe(title);
    expect(meta["og:description"]).toBe(description);
    expect(description).toMatch(/[\u4e00-\u9fff]/u);
    expect(meta["og:type"]).toBe("website");
    expect(meta["og:locale:alternate"]).toBe("zh_CN");
    expect(
      readFileSync(built + meta["og:image"])
        .subarray(1, 4)
        .toString("latin1"),
    ).toBe("PNG");
    const data = JSON.parse(html.match(/<script type="application\/ld\+json">(.+?)<\/script>/)[1]);
    expect(data["@type"]).toBe("WebApplication");
    expect(data.name).toBe(title);
    expect(data.softwareVersion).toMatch(/^\d+\.\d+\.\d+$/);
  });

test("the footer leads to the papers", async ({ open }) => {
  const page = await open({ ready: "problem" });
  await page.waitForSelector("footer li a");
  const addresses = await page.locator("footer li a").evaluateAll((all) => all.map(({ href }) => href));
  expect(new Set(addresses).size).toBe(7);
  for (const address of addresses) expect(address).toMatch(/^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
});
