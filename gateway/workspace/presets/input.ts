import { isId } from "#contract/ids.ts";

type Json = Record<string, unknown>;

/** A text of an input that names a file of this gateway, or is one. */
interface FileText {
  /** JSON pointer. */
  path: string;
  /** The upload that it names. */
  upload: string | null;
}

const uploadScheme = "upload://";

/** Every such text, wherever it stands: no schema says where an input of tomorrow has its files. */
export function filesIn(input: Json, publicUrl: string): FileText[] {
  const found: FileText[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value === "string") {
      const file = fileOf(value, publicUrl);
      if (file) found.push({ path, upload: file.upload });
    } else if (typeof value === "object" && value !== null)
      for (const [step, child] of Object.entries(value)) look(child, `${path}/${escaped(step)}`);
  };
  look(input, "");
  return found;
}

function fileOf(text: string, publicUrl: string): { upload: string | null } | null {
  const id = text.startsWith(uploadScheme) ? text.slice(uploadScheme.length) : text;
  if (isId("upload", id)) return { upload: id };
  const isOwn = text.startsWith(`${publicUrl}/v1/files/`);
  return isOwn || /^data:[^,]*;base64,/i.test(text) ? { upload: null } : null;
}

/** The input with `value` at these pointers. */
export function withValueAt(input: Json, paths: readonly string[], value: unknown): Json {
  const changed = structuredClone(input);
  for (const path of paths) {
    const steps = path.split("/").slice(1).map(unescaped);
    const last = steps.pop() ?? "";
    let parent: unknown = changed;
    for (const step of steps) parent = (parent as Json | undefined)?.[step];
    if (typeof parent === "object" && parent !== null && last in parent) (parent as Json)[last] = value;
  }
  return changed;
}

/** The input without what stands at these pointers; the items of a list move up. */
export function withoutAt(input: Json, paths: readonly string[]): Json {
  return withoutUndefined(withValueAt(input, paths, undefined)) as Json;
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutUndefined(child)]));
}

const escaped = (step: string) => step.replaceAll("~", "~0").replaceAll("/", "~1");
const unescaped = (step: string) => step.replaceAll("~1", "/").replaceAll("~0", "~");
