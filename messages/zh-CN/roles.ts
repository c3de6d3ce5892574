import type en from "../en/roles.ts";
import type { Translated } from "../translated.ts";

export default {
  owner: "拥有全部权限。只有所有者可以任命所有者和删除账户。",
  admin: "除账户本身及其所有者之外，可以管理一切：成员、服务密钥、端点、预算。",
  member: "可以运行操作、上传文件、重试投递，并拥有个人密钥。",
  viewer: "可以查看预测任务、媒体、投递和用量，不能更改任何内容。",
  billing: "只能查看用量，看不到提示词和媒体。",
} satisfies Translated<typeof en>;
