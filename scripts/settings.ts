// Writes .env.example and docs/settings.md from the list of settings: npm run settings
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Setting, sections } from "../gateway/platform/core/settings.ts";

const lineWidth = 110;
const unitsMs = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 };

/** The text of each file, by its path in the repository. */
export const settingsFiles: Record<string, string> = {
  ".env.example": envExample(),
  "docs/settings.md": settingsPage(),
};

function envExample(): string {
  const head = [
    "# Every setting of Gatehouse. Copy this file to .env and change what you need: every setting is optional.",
    "# Environment variables take precedence over .env. With an invalid setting Gatehouse does not start; the error names the setting.",
    "# The values shown are the defaults, or examples where there is no fixed default.",
    "# Made by `npm run settings` from gateway/platform/core/settings.ts: change that file.",
  ];
  const parts = Object.entries(sections).flatMap(([title, entries]) => [
    "",
    `# ── ${title} ${"─".repeat(lineWidth - title.length - 6)}`,
    "",
    ...Object.entries(entries).flatMap(([name, setting]) => [
      ...wrapped(plain(sentences(name, setting))).map((line) => `# ${line}`),
      `#${name}=${setting.example ?? fallbackOf(setting)}`,
    ]),
  ]);
  return `${[...head, ...parts].join("\n")}\n`;
}

function settingsPage(): string {
  const head = `# Settings

Every setting is optional. Set it in the environment or in \`.env\` (copy [.env.example](../.env.example)); the environment wins.
With an invalid setting Gatehouse does not start, and the error names it. Settings marked with ● are read by the console's process,
too. [Operating](operating.md) says how they work together.

<!-- Made by \`npm run settings\` from gateway/platform/core/settings.ts: change that file. -->
`;
  const parts = Object.entries(sections).map(
    ([title, entries]) => `
## ${title}

| Setting | Default | What it does |
|---|---|---|
${Object.entries(entries)
  .map(([name, setting]) => {
    const fallback = fallbackOf(setting);
    const mark = setting.console ? " ●" : "";
    return `| \`${name}\`${mark} | ${fallback && `\`${fallback}\``} | ${sentences(name, setting)} |\n`;
  })
  .join("")}`,
  );
  return head + parts.join("");
}

function fallbackOf({ fallback = "" }: Setting): string {
  return Array.isArray(fallback) ? fallback.join(",") : String(fallback);
}

/** What the setting does, its default in words, and its possible values. */
function sentences(name: string, setting: Setting): string {
  const inWords = typeof setting.fallback === "number" ? quantity(name, setting.fallback) : null;
  return [
    setting.about,
    inWords && `Default: ${inWords}.`,
    setting.kind === "choice" && `One of ${setting.choices.map((choice) => `\`${choice}\``).join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** A large number of milliseconds or bytes in words, by the unit in the setting's name. */
function quantity(name: string, value: number): string | null {
  if (name.includes("_BYTES")) return `${value / 1e9} GB`;
  if (!name.endsWith("_MS")) return null;
  for (const [unit, ms] of Object.entries(unitsMs)) if (value >= 2 * ms) return `${value / ms} ${unit}`;
  return null;
}

/** Without Markdown: a phrase in backquotes gets quotes, a name or a value stays unchanged. */
function plain(text: string): string {
  return text
    .replaceAll(/`([^`]*)`/g, (_, code: string) => (code.includes(" ") ? `"${code}"` : code))
    .replaceAll(/[“”]/g, '"');
}

function wrapped(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length + 3 > lineWidth) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

if (import.meta.main)
  for (const [file, text] of Object.entries(settingsFiles))
    writeFileSync(path.resolve(import.meta.dirname, "..", file), text);
