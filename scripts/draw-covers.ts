// Draws the catalog's covers into public/covers with the sandbox's artists: `npm run covers`.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { drawScene } from "../gateway/sandbox/scene/draw.ts";

const folder = path.join(import.meta.dirname, "..", "public", "covers");
const width = 480;
const height = 270;
/** Covers are drawn larger and then reduced, which gives finer lines and averages out the artists' grain. */
const oversize = 2;
const webpQuality = 42;

/** Adapts a cover to its theme, paler by day and calmer by night. Factor and offset of every colour. */
const tones = { light: [0.78, 56], dark: [0.85, 0] } as const;

/** How a scene becomes a cover: "split" shows it before and after, "sharpen" shows it coarse and fine. */
type Treatment = "whole" | "split" | "sharpen";

/** Per image model: the scene, and how it is shown. */
const covers: Record<string, [scene: string, treatment?: Treatment]> = {
  "img-gen-a-1": ["lake with pines and a far ridge"],
  "img-gen-a-2": ["galaxy and stars, violet"],
  "img-gen-a-3": ["bamboo forest"],
  "img-gen-b": ["mountains and glacier"],
  "vid-r2v": ["space, planets, teal"],
  "vid-t2v": ["desert dunes"],
  "vid-edit": ["valley in snow", "split"],
  "adult-vid-1": ["city skyline"],
  "adult-vid-2": ["city street in rain"],
  "adult-vid-3": ["downtown towers, violet"],
  "adult-vid-4": ["city in fog, azure"],
  "adult-i2v-1": ["beach, rose"],
  "adult-i2v-2": ["savanna, gold"],
  "adult-i2v-3": ["meadow, emerald"],
  "adult-img-1": ["river with reflection"],
  "adult-img-2": ["canyon, crimson"],
  "adult-edit": ["forest and trees, amber", "split"],
  "swap-1": ["lagoon, turquoise", "split"],
  "swap-2": ["hills, lavender", "split"],
  "adult-animate": ["jungle, lime"],
  "adult-upscale": ["alps and peaks", "sharpen"],
};

/** The hour of each theme. "Before" uses the other hour. */
const hours = { light: "bright day", dark: "midnight" } as const;
const later = { light: "golden sunset", dark: "twilight" } as const;
type Theme = keyof typeof hours;

await mkdir(folder, { recursive: true });
for (const [name, [scene, treatment = "whole"]] of Object.entries(covers))
  for (const theme of ["light", "dark"] as const) {
    const cover = await coverOf(name, scene, treatment, theme);
    await writeFile(path.join(folder, `${name}-${theme}.webp`), cover);
    console.log(`${name}-${theme}.webp ${cover.length} bytes`);
  }

async function coverOf(name: string, scene: string, treatment: Treatment, theme: Theme) {
  const picture = await draw(name, `${scene}, ${hours[theme]}`);
  if (treatment === "whole") return encoded(picture, theme);
  return treatment === "split"
    ? encoded(await beside(picture, await draw(name, `${scene}, ${later[theme]}`)), theme)
    : encoded(await beside(await coarse(picture), picture), theme);
}

/** Two versions of the same place, separated by a slanted cut. */
async function beside(left: Buffer, right: Buffer): Promise<Buffer> {
  const cut = `<svg width="${width}" height="${height}"><path d="M${width * 0.56} 0H${width}V${height}H${width * 0.44}z"/></svg>`;
  const half = sharp(right).composite([{ input: Buffer.from(cut), blend: "dest-in" }]);
  const both = sharp(left).composite([{ input: await half.png().toBuffer() }]);
  return both.png().toBuffer();
}

async function coarse(picture: Buffer): Promise<Buffer> {
  const small = await sharp(picture)
    .resize(width / 15)
    .png()
    .toBuffer();
  return sharp(small).resize(width, height, { kernel: "nearest" }).png().toBuffer();
}

/** The seed comes from the model's name, so a cover stays the same until its text or the artists change. */
async function draw(name: string, words: string): Promise<Buffer> {
  const seed = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 65_536;
  const canvas = drawScene(words, seed, width * oversize, height * oversize, 1);
  return sharp(canvas.data(), {
    raw: { width: canvas.width, height: canvas.height, channels: 4, premultiplied: true },
  })
    .resize(width, height)
    .png()
    .toBuffer();
}

function encoded(picture: Buffer, theme: Theme): Promise<Buffer> {
  const [factor, offset] = tones[theme];
  return sharp(picture)
    .removeAlpha()
    .linear(factor, offset)
    .webp({ quality: webpQuality, effort: 6 })
    .toBuffer();
}
