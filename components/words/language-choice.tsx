"use client";

import { usePreferences } from "@/components/shell/preferences";
import { SelectField } from "@/components/ui/form/input-fields";
import { usePageRouter } from "@/components/ui/page/link";
import { type Language, languages } from "@/messages/languages";
import { useWords } from "./use-words.ts";

/** Chooses the language of this browser. What was typed on the page stays. */
export function LanguageChoice() {
  const t = useWords("fields");
  const { change } = usePreferences();
  const router = usePageRouter();
  return (
    <SelectField<Language>
      label={t("language")}
      hideLabel
      value={t.language}
      options={Object.entries(languages) as [Language, string][]}
      onValue={(language) => {
        change({ language });
        // The cookie is written when the change is drawn; the page is read again after it.
        setTimeout(() => router.refresh());
      }}
    />
  );
}
