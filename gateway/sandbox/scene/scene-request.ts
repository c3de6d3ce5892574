import { randomFrom } from "../seed.ts";
import { hex, type Rgb } from "./color.ts";

export const sceneKinds = [
  "mountains",
  "forest",
  "lake",
  "ocean",
  "desert",
  "city",
  "space",
  "abstract",
] as const;
export type SceneKind = (typeof sceneKinds)[number];
export const times = ["dawn", "day", "golden", "dusk", "night"] as const;
export type TimeOfDay = (typeof times)[number];

/** The scene that the known words of a prompt describe. */
export interface SceneRequest {
  kind: SceneKind;
  time: TimeOfDay;
  weather: { fog: boolean; rain: boolean; snow: boolean; storm: boolean };
  colors: Rgb[];
}

type Vocabulary<Value extends string> = readonly (readonly [Value, string])[];

/** Whole words for the Latin script, parts of words for Chinese and Japanese. */
const kindWords: Vocabulary<SceneKind> = [
  ["lake", "lake lakes river pond reflection fjord lagoon 湖 河 川"],
  [
    "ocean",
    "ocean sea beach coast harbour harbor wave waves sail sailing boat ship bay island shore 海 浪 岛 島 港",
  ],
  [
    "forest",
    "forest forests wood woods tree trees pine pines jungle garden bamboo meadow park leaf leaves 森 林 树 樹 木 竹",
  ],
  ["desert", "desert dune dunes sand canyon mesa savanna camel 沙漠 沙丘"],
  [
    "city",
    "city town street skyline tower towers building buildings urban skyscraper neon downtown metropolis office 城 市 街 都 楼 塔",
  ],
  [
    "space",
    "space galaxy nebula planet planets star stars cosmos universe astronaut rocket orbit moonscape 宇宙 星 银河 太空",
  ],
  [
    "abstract",
    "abstract pattern gradient shapes geometric minimal logo poster texture wallpaper fluid 抽象 图案",
  ],
  [
    "mountains",
    "mountain mountains hill hills peak peaks alps valley landscape cliff ridge glacier volcano 山 谷 峰",
  ],
];
const timeWords: Vocabulary<TimeOfDay> = [
  ["dawn", "dawn sunrise morning daybreak early 黎明 日出 清晨 早"],
  ["golden", "golden sunset evening autumn warm sundown 夕 日落 黄昏 秋"],
  ["dusk", "dusk twilight gloaming blue-hour 暮"],
  ["night", "night midnight dark moon moonlit moonlight starry aurora lantern lanterns 夜 月"],
  ["day", "day noon bright sunny summer daylight clear spring 白天 晴 夏 春"],
];
const colorWords: readonly (readonly [string, string])[] = [
  ["#d7263d", "red crimson scarlet ruby 红 赤"],
  ["#ff7a1a", "orange amber copper tangerine 橙"],
  ["#f7c531", "yellow gold lemon 黄 金"],
  ["#2fa84f", "green emerald lime jade 绿 緑"],
  ["#1aa6a6", "teal turquoise cyan aqua mint 青"],
  ["#2d6cdf", "blue azure cobalt navy sapphire 蓝 青い"],
  ["#7a3fd0", "purple violet lavender indigo 紫"],
  ["#f06ba8", "pink rose magenta fuchsia cherry blossom 粉 桃 樱"],
  ["#f4f4f0", "white ivory snowy 白"],
  ["#8a5a33", "brown bronze rust chocolate 棕 褐"],
  ["#14161c", "black ebony 黑"],
  ["#8d98a5", "grey gray silver 灰 银"],
];
const weatherWords = {
  fog: "fog foggy mist misty haze hazy smoke steam 雾 霧",
  rain: "rain rainy drizzle monsoon 雨",
  snow: "snow snowy winter ice icy frozen arctic christmas 雪 冬 冰",
  storm: "storm stormy thunder lightning dramatic tempest 暴 雷",
};

/** Reads scene, time of day, weather and colours from a prompt; the prompt's hash decides the rest. */
export function readSceneRequest(prompt: string): SceneRequest {
  const lower = prompt.toLowerCase();
  const words = new Set(lower.split(/[^\p{L}\p{N}-]+/u));
  const firstSaid = (list: string) =>
    Math.min(
      ...list.split(" ").map((word) => {
        const place = isIdeographic(word) ? lower.indexOf(word) : words.has(word) ? lower.indexOf(word) : -1;
        return place < 0 ? Number.POSITIVE_INFINITY : place;
      }),
    );
  const says = (list: string) => Number.isFinite(firstSaid(list));
  const random = randomFrom(`requested ${lower}`);
  const kind = kindWords.find(([, list]) => says(list))?.[0];
  // The first time of day in the prompt wins: "night" stays night when an extension adds "golden light".
  const time = timeWords
    .filter(([, list]) => says(list))
    .sort(([, one], [, other]) => firstSaid(one) - firstSaid(other))[0]?.[0];
  return {
    kind: kind ?? random.pick(["mountains", "lake", "forest", "ocean", "desert", "mountains"]),
    time: time ?? random.fork("time").pick(["dawn", "golden", "dusk", "day", "golden"]),
    weather: {
      fog: says(weatherWords.fog),
      rain: says(weatherWords.rain),
      snow: says(weatherWords.snow),
      storm: says(weatherWords.storm),
    },
    colors: colorWords.filter(([, list]) => says(list)).map(([code]) => hex(code)),
  };
}

/** Chinese and Japanese words have no spaces around them. */
function isIdeographic(word: string): boolean {
  return /[\u3040-\u9fff]/.test(word);
}
