"use client";

import { useState } from "react";
import { SelectField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useChangeLanguage } from "@/components/words/use-language";
import { useWords } from "@/components/words/use-words";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { type Language, languages } from "@/messages/languages";

/** Chooses the language of a person: of the console in all their browsers, and of their e-mails. */
export function LanguagePart({ language }: { language: Language | null }) {
  const [shown, setShown] = useState(language);
  const t = useWords("fields");
  const change = useChangeLanguage();
  const { failure, send } = useSend();

  const choose = async (value: Language | "browser") => {
    const chosen = value === "browser" ? null : value;
    setShown(chosen);
    const answer = await send(() => answerOf(act("PATCH /account/profile", { body: { language: chosen } })));
    if (!answer.ok) return setShown(shown);
    change(chosen);
  };

  return (
    <div className="mt-3 flex flex-col gap-3 rounded-panel border bg-panel p-4">
      {failure && <ErrorPanel error={failure} />}
      <SelectField<Language | "browser">
        label={t("language")}
        hint={t("languageHint")}
        value={shown ?? "browser"}
        options={[
          ["browser", t("languageOfBrowser")],
          ...(Object.entries(languages) as [Language, string][]),
        ]}
        onValue={choose}
      />
    </div>
  );
}
