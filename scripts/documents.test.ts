import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { routes } from "#contract/routes/table.ts";
import { settings } from "#gateway/platform/core/settings.ts";
import rooms from "../gateway/rooms.json";
import { anchorOf } from "../lib/heading-anchor.ts";
import manifest from "../package.json";

const root = path.resolve(import.meta.dirname, "..");

it("ARCHITECTURE.md lists the gateway's districts in the order that the rules enforce", () => {
  const text = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const table = text.slice(text.indexOf("| Room |"));
  const expected = Object.entries(rooms).flatMap(([district, names]) =>
    names.map((name) => `${district}/${name}`),
  );
  expect([...table.matchAll(/^\| `([a-z]+\/[a-z]+)\/` \|/gm)].map(([, room]) => room)).toEqual(expected);
});

it("ARCHITECTURE.md names only files and folders that exist", () => {
  const text = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const named = [...text.matchAll(/`([\w-]+\/[\w./-]*)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(80);
  const isThere = (name: string) =>
    ["", "gateway"].some((folder) => existsSync(path.join(root, folder, name)));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

it("docs/clients.md names the versions of the clients that the tests run", () => {
  const text = readFileSync(path.join(root, "docs", "clients.md"), "utf8");
  const named = [...text.matchAll(/`([^`]+)` (\d+\.\d+\.\d+)/g)].map(([, name = "", version]) => [
    name,
    version,
  ]);
  expect(named.length).toBeGreaterThan(5);
  for (const [name = "", version] of named)
    expect([name, (manifest.devDependencies as Record<string, string>)[name]]).toEqual([name, version]);
});

/** The one page that is longer than a chapter, because it is a list to look things up in. */
const lists = ["docs/settings.md"];
const maxWords = 1_800;
const chapters = globSync("docs/**/*.md", { cwd: root }).sort();
const documents = [...chapters, "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "deploy/README.md"];
const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");

/** The commands of `gatehouse`. */
const commands = [...textOf("gateway/edges/cli/main.ts").matchAll(/^ {2}"?([a-z][a-z -]*)"?: \{$/gm)].map(
  ([, name = ""]) => name,
);

/** Settings of other programs that the chapters name. */
const foreignSettings =
  /^(?:OTEL_|AWS_|PATRONI_|ETCD_|ENABLE_V2$|OPENAI_|OPENROUTER_|ANTHROPIC_|CLAUDE_|DASHSCOPE_|REPLICATE_|FAL_|GATEHOUSE_KEY_|BASE_IMAGE$|TEST_SEED$|OPERATOR_KEY$|NODE_EXTRA_CA_CERTS$|GUARD_SECRET$)/;
/** Addresses that are not in the table of routes: for agents, proxies, probes and browsers. */
const otherRoutes = /^(?:\/mcp|\/oauth\/|\/\.well-known\/|\/healthz|\/readyz|\/metrics|\/openapi\.json)/;

describe.each(documents)("%s", (file) => {
  const text = textOf(file);
  const code = [...text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`]+)`/g)].map(
    ([, one = ""]) => one,
  );

  it("has links that lead to a file and a heading", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)/g)];
    const broken = links.filter(([, to = "", heading]) => {
      const target = path.join(path.dirname(file), decodeURIComponent(to));
      if (to !== "" && !existsSync(path.join(root, target))) return true;
      return heading !== undefined && !headingsOf(to === "" ? file : target).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it("names settings and routes that exist", () => {
    const named = code.flatMap((one) => one.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g) ?? []);
    expect(named.filter((name) => !Object.hasOwn(settings, name) && !foreignSettings.test(name))).toEqual([]);
    expect(code.flatMap((one) => unknownRoutes(one))).toEqual([]);
  });

  it("names files and scripts that exist", () => {
    const files = code.filter((one) =>
      /^(?:app|bench|components|contract|deploy|docs|gateway|lib|scripts)\/[\w./()-]+$/.test(one),
    );
    expect(files.filter((one) => !existsSync(path.join(root, one)))).toEqual([]);
    const scripts = [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
    expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
    const called = [...text.matchAll(/(?:`|-s )gatehouse (?:-- )?([a-z][a-z\s-]*[a-z])/g)].map(
      ([, name = ""]) => name.replaceAll(/\s+/g, " "),
    );
    expect(
      called.filter((name) => !commands.some((command) => `${name} `.startsWith(`${command} `))),
    ).toEqual([]);
  });
});

describe("the chapters", () => {
  it.each(chapters.filter((file) => !lists.includes(file)))(
    "%s is short enough to be read at once",
    (file) => {
      expect(textOf(file).split(/\s+/).length).toBeLessThanOrEqual(maxWords);
    },
  );

  it("begin with a README that is read at one go", () => {
    expect(textOf("README.md").split(/\s+/).length).toBeLessThanOrEqual(550);
  });

  it("are all in the list of their folder", () => {
    for (const file of chapters) {
      const start = path.join(path.dirname(file), "README.md");
      if (file !== start) expect(textOf(start), file).toContain(`](${path.basename(file)})`);
    }
  });

  it("do not say the same paragraph twice", () => {
    const paragraphs = chapters.flatMap((file) =>
      textOf(file)
        .split(/\n\n|\n- |\n\| /)
        .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
        .filter((paragraph) => paragraph.length > 80 && !paragraph.startsWith("```")),
    );
    expect(paragraphs.filter((paragraph, at) => paragraphs.indexOf(paragraph) !== at)).toEqual([]);
  });
});

/** The anchors of a document's headings. */
function headingsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

/** The routes in a piece of code, such as `POST /uploads`, that are not in the table. */
function unknownRoutes(code: string): string[] {
  const named = code.matchAll(/\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (?:\/v1)?(\/[\w/{}.:~-]+)/g);
  return [...named].flatMap(([whole, method = "", address = ""]) => {
    const known = Object.keys(routes).some((name) => {
      const pattern = name.replaceAll(/[.]/g, "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+");
      return new RegExp(`^${pattern}$`).test(`${method} ${address}`);
    });
    return known || otherRoutes.test(address) ? [] : [whole];
  });
}
