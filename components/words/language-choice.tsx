"use client";

import { SelectField } from "@/components/ui/form/input-fields";
import { type Language, languages } from "@/messages/languages";
import { useChangeLanguage } from "./use-language.ts";
import { useWords } from "./use-words.ts";

/** Chooses the language of this browser. What was typed on the page stays. */
export function LanguageChoice() {
  const t = useWords("fields");
  const change = useChangeLanguage();
  return (
    <SelectField<Language>
      label={t("language")}
      hideLabel
      value={t.language}
      options={Object.entries(languages) as [Language, string][]}
      onValue={change}
    />
  );
}
