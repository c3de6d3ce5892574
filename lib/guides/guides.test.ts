import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import zhCn from "../../messages/zh-CN/apart/guides.ts";
import { guides } from "./guides.ts";
import { tabsOf } from "./snippets/languages.ts";
import { guideSnippets } from "./snippets/snippets.ts";

const markdown = /`|\*\*|__|\]\(|^#/;
/** The markup that a guide's text may contain. */
const rendered = /`[^`]+`|\[[^\]]+\]\([^)]+\)/g;

/** The heads of a guide's sections and tables, and its other texts. */
function textsOf({ sections }: (typeof guides)[keyof typeof guides]) {
  const heads = sections.flatMap(({ title, parts }) => [
    title,
    ...parts.flatMap((part) => ("head" in part ? part.head : [])),
  ]);
  const texts = sections.flatMap(({ missing = "", parts }) => [
    missing,
    ...parts.flatMap((part) => {
      if ("text" in part) return [part.text];
      if ("list" in part) return part.list;
      return "rows" in part ? part.rows.flat() : [];
    }),
  ]);
  return { heads, texts };
}

it.each(Object.entries(guides))("shows no raw Markdown in the guide %s", (_, guide) => {
  const { heads, texts } = textsOf(guide);
  const plain = [...heads, ...texts.map((text) => text.replaceAll(rendered, ""))];
  expect(plain.filter((text) => markdown.test(text))).toEqual([]);
});

describe("the guides in Chinese", () => {
  const all = [
    ...Object.values(guides).flatMap((guide) => Object.values(textsOf(guide)).flat()),
    ...Object.values(guideSnippets).map(({ label }) => label),
  ];
  /** Names, codes and sizes. */
  const isSame = (text: string) =>
    /^(?:Claude Code|Codex|5xx|[\d.]+ [kMG]B)$/.test(text) ||
    !/\p{L}{2}/u.test(text.replaceAll(rendered, ""));

  it("say every text of the English ones, and nothing else", () => {
    expect(all.filter((text) => !Object.hasOwn(zhCn, text) && !isSame(text))).toEqual([]);
    expect(Object.keys(zhCn).filter((text) => !all.includes(text))).toEqual([]);
  });

  it("have the same code and links", () => {
    const fixedIn = (text: string) => (text.match(/`[^`]+`|\]\([^)]+\)/g) ?? []).toSorted();
    for (const [english, chinese] of Object.entries(zhCn))
      expect([english, fixedIn(chinese)]).toEqual([english, fixedIn(english)]);
  });
});

const shells = Object.entries(guideSnippets).flatMap(([id, snippet]) =>
  tabsOf(snippet, "http://localhost/v1").flatMap(({ language, code }) =>
    language === "bash" && code.includes("curl") ? [{ id, code }] : [],
  ),
);
/** These read the body of a refusal. */
const readsErrors = ["readError", "gateRefusal"];

it.each(shells.filter(({ id }) => !readsErrors.includes(id)))(
  "the shell code of $id ends at the first request that fails",
  ({ code }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "guide-"));
    try {
      // Like curl at a gateway that refuses everything: it fails only if it is asked to.
      const curl = `#!/bin/sh\necho asked >> "$LOG"\ncase "$*" in *--fail*) exit 22 ;; *) echo '{}' ;; esac\n`;
      for (const [name, text] of [
        ["curl", curl],
        ["jq", "#!/bin/sh\ncat > /dev/null\n"],
        ["sleep", "#!/bin/sh\n"],
      ] as const) {
        writeFileSync(path.join(folder, name), text);
        chmodSync(path.join(folder, name), 0o755);
      }
      writeFileSync(path.join(folder, "speech.wav"), "sound");
      const log = path.join(folder, "log");
      const { status } = spawnSync("bash", ["-c", code], {
        cwd: folder,
        timeout: 20_000,
        env: {
          ...process.env,
          PATH: `${folder}:${process.env.PATH}`,
          LOG: log,
          GATEHOUSE_API_KEY: "key",
          PREDICTION_ID: "pred_1",
          WEBHOOK_URL: "https://example.com",
          ENDPOINT_ID: "end_1",
        },
      });
      expect(status).toBe(22);
      expect(readFileSync(log, "utf8")).toBe("asked\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
