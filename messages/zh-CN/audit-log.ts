import type en from "../en/audit-log.ts";
import type { Translated } from "../translated.ts";

export default {
  title: "审计日志",
  description: "每一次更改和登录：由谁、在何时、从何处进行。",
  what: "审计日志",
  askOperator: "请向运维人员索取更改记录。",
  action: "操作",
  anyAction: "所有操作",
  noMatch: "没有符合筛选条件的更改",
  noneYet: "还没有更改",
  appearHere: "更改会在发生后立即显示在这里。",
  clearFilters: "清除筛选条件",
  when: "时间",
  who: "操作者",
  target: "对象",
  details: "详情",
  ip: "IP 地址",
  requestId: "请求 ID",
  actor:
    "（{type, select, user {用户} key {密钥} system {网关} operator {运维人员，命令行} other {{type}}}）",
  factKept: "保留至",
  factWithoutEnd: "不限期",
  factAnd: "以及",
  factMore: "另外 {count, number} 项",
  factYes: "是",
  factNo: "否",
  factRoute: "{models}，由 {provider} 运行：{upstream}",
} satisfies Translated<typeof en>;
