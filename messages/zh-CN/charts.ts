import type en from "../en/charts.ts";
import type { Translated } from "../translated.ts";

export default {
  noData: "此时间段没有数据",
  drawnWithData: "有数据后，“{label}”会显示在这里。",
  keysMove: "用方向键移动，用 Shift 加方向键选择多个时段，按 Enter {effect}。",
  showAsTable: "以表格显示",
  asTable: "{label}（表格）",
  from: "开始时间",
  dayInUtc: "{day}（UTC）",
  valuesAt: "{at}：{values}",
  runsInLastDay: "最近 24 小时的运行",
  opensRequests: "查看对应的请求",
  succeeded: "成功",
  errors: "错误",
  refused: "被拒绝",
} satisfies Translated<typeof en>;
