import { FileLock2, Server } from "lucide-react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";

/** Marks settings from the providers file, which are read-only in the console. */
export function ManagedByFile() {
  const t = useWords("operator");
  return (
    <Badge icon={<FileLock2 size={12} aria-hidden />} title={t("changeItInTheProviders")}>
      {t("managedByTheFile")}
    </Badge>
  );
}

/** The icon in `public/provider-icons.svg` of each preset that has one. */
export const iconOfPreset: Readonly<Record<string, string>> = {
  openai: "openai",
  "openai-responses": "openai",
  openrouter: "openrouter",
  "azure-openai": "azure",
  anthropic: "anthropic",
  "anthropic-messages": "anthropic",
  gemini: "gemini",
  mistral: "mistral",
  deepseek: "deepseek",
  groq: "groq",
  together: "together",
  cohere: "cohere",
  jina: "jina",
  dashscope: "alibabacloud",
  replicate: "replicate",
  fal: "fal",
  ollama: "ollama",
  "lm-studio": "lmstudio",
  vllm: "vllm",
};

/** The icon of a provider, or its initials, in a frame. */
export function ProviderMark({ name, preset }: { name: string; preset: string | null }) {
  const icon = preset !== null && Object.hasOwn(iconOfPreset, preset) ? iconOfPreset[preset] : undefined;
  return (
    <span
      aria-hidden
      translate="no"
      className="grid size-9 shrink-0 place-items-center rounded-control border bg-sunken font-semibold text-muted"
    >
      {icon ? (
        <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 fill-current text-ink">
          <use href={`/provider-icons.svg#${icon}`} />
        </svg>
      ) : preset?.endsWith("-like") ? (
        <Server size={18} aria-hidden />
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}

function initialsOf(name: string): string {
  const [before = ""] = name.split(/[,(]/);
  const words = before.match(/\p{Lu}+[\p{Ll}\p{N}]*|[\p{Ll}\p{N}]+/gu) ?? [];
  const initials = words.length > 1 ? words.map(([first]) => first).join("") : before;
  return initials.slice(0, 2);
}
