import type en from "../en/library.ts";
import type { Translated } from "../translated.ts";

export default {
  description: "团队保留的输出及其输入。",
  checkFile: "检查文件",
  cannotKeep:
    "此处无法保留输出：本系统的设置为 <code>KEEP_OUTPUTS=off</code>。此前保留的输出会留在素材库中，直到有人将其移除。",
} satisfies Translated<typeof en>;
