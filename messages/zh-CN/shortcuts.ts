import type en from "../en/shortcuts.ts";
import type { Translated } from "../translated.ts";

export default {
  single: "单字母快捷键",
  everywhere: "所有页面",
  search: "搜索或前往",
  show: "显示键盘快捷键",
  close: "关闭对话框或菜单",
  lists: "列表和详情页",
  next: "下一行",
  previous: "上一行",
  backToList: "返回列表",
  rows: "选中的行",
  select: "选中此行",
  walk: "移动焦点",
  selectMore: "选中更多行",
  toActions: "转到操作",
  gallery: "预测任务图库",
  open: "打开",
  addToComparison: "加入对比",
  runAgain: "用相同输入再次运行",
  clearComparison: "清除对比",
  results: "对比结果",
  playground: "试用台",
  run: "运行",
  stop: "停止流式输出",
  goTo: "前往",
} satisfies Translated<typeof en>;
