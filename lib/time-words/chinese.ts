const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

const weekdays: Record<string, string> = {
  一: "monday",
  二: "tuesday",
  三: "wednesday",
  四: "thursday",
  五: "friday",
  六: "saturday",
  日: "sunday",
  天: "sunday",
};

const units: Record<string, string> = {
  秒: "second",
  秒钟: "second",
  分: "minute",
  分钟: "minute",
  小时: "hour",
  天: "day",
  周: "week",
  星期: "week",
  月: "month",
  年: "year",
};

const digits = "零一二三四五六七八九十";
const number = String.raw`(\d{1,4}|[一二两三四五六七八九十半])\s*个?\s*`;
const unit = "(秒钟?|分钟?|小时|天|周|星期|月|年)";

const monthName = (month = "") => months[Number(month) - 1] ?? month;
const numberOf = (text = "") =>
  text === "两" ? 2 : digits.includes(text) ? digits.indexOf(text) : Number(text);

/** What each Chinese phrase is in English. Longer phrases come before their parts. */
const phrases: readonly [RegExp, (...found: string[]) => string][] = [
  [
    new RegExp(`${number}${unit}\\s*(?:以前|之前|前)`, "g"),
    (_, count, of = "") => `${numberOf(count)} ${units[of]} ago`,
  ],
  [
    new RegExp(`(?:过去|最近|近)\\s*${number}${unit}`, "g"),
    (_, count, of = "") => `last ${numberOf(count)} ${units[of]}`,
  ],
  [
    /(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?/g,
    (_, year, month, day) => `${year}-${month}-${day}`,
  ],
  [/(\d{4})\s*年\s*(\d{1,2})\s*月/g, (_, year, month) => `${monthName(month)} ${year}`],
  [/(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?/g, (_, month, day) => `${day} ${monthName(month)}`],
  [/(\d{1,2})\s*月/g, (_, month) => monthName(month)],
  [/上(?:个?星期|周|个?礼拜)([一二三四五六日天])/g, (_, day = "") => `last ${weekdays[day]}`],
  [/(?:这|本)?(?:个?星期|周|个?礼拜)([一二三四五六日天])/g, (_, day = "") => weekdays[day] ?? ""],
  [
    /(这|本|上)个?(周|星期|礼拜|月)|(今|去)(年)/g,
    (_, which, of = "", year) =>
      `${which === "上" || year === "去" ? "last" : "this"} ${of === "月" ? "month" : year ? "year" : "week"}`,
  ],
  [
    /(上午|早上|下午|晚上)?\s*(\d{1,2})\s*(?:[点时]\s*(?:(\d{1,2})\s*分?|(半))?|:(\d{2}))/g,
    (_, half, hours, minutes, isHalf, after) =>
      `${hours}:${(isHalf ? "30" : (minutes ?? after ?? "00")).padStart(2, "0")}${half ? (/^[上早]/.test(half) ? " am" : " pm") : ""}`,
  ],
  [/前天/g, () => "day before yesterday"],
  [/昨[天日]/g, () => "yesterday"],
  [/今[天日]/g, () => "today"],
  [/现在/g, () => "now"],
  [/上午|早上/g, () => "morning"],
  [/下午/g, () => "afternoon"],
  [/晚上/g, () => "evening"],
  [/中午/g, () => "noon"],
  [/午夜/g, () => "midnight"],
  [/[到至]/g, () => "to"],
  [/^自?从?(.+?)(?:以来|起|开始)$/g, (_, from) => `since ${from}`],
  [/^自(?:从)?/g, () => "since"],
  [/^从/g, () => "from"],
  [/^(.+?)(?:之前|以前|前)$/g, (_, end) => `before ${end}`],
  [/^(.+?)(?:之后|以后|后)$/g, (_, start) => `after ${start}`],
  [/之间|[的，、]/g, () => ""],
];

/** A period in Chinese words, in the English ones that `readTimeWords` reads. Other texts stay as they are. */
export function inEnglish(text: string): string {
  if (!/\p{Script=Han}/u.test(text)) return text;
  return phrases
    .reduce((rest, [phrase, say]) => rest.trim().replace(phrase, (...found) => ` ${say(...found)} `), text)
    .replace(/\s+/g, " ")
    .trim();
}
