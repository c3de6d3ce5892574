import type en from "../en/ui.ts";
import type { Translated } from "../translated.ts";

export default {
  notOffered: "此网关不提供{what}",
  notOfferedBrief: "此网关不提供{what}。",
  noFilter: "此页面没有筛选条件“{name}”。",
  noFilterMeant: "此页面没有筛选条件“{name}”。你是指“{meant}”吗？",
  noFilterValue: "筛选条件“{name}”没有值“{value}”，因此已忽略。",
  shownWithoutFilter: "列表未按它筛选。",
} satisfies Translated<typeof en>;
