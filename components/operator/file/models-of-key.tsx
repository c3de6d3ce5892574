"use client";

import { type KeyboardEvent, useState } from "react";
import { type ProviderSource, proposalLimits, providerFields } from "#contract/operator/constants.ts";
import type { FileProposal } from "#contract/operator/file.ts";
import { useWords } from "#words";
import { PasswordField } from "@/components/auth/password-field";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { InputField } from "@/components/ui/form/input-fields";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";

interface ModelsOfKeyProps {
  from: ProviderSource;
  name: string;
  disabled: boolean;
  onReading: (isReading: boolean) => void;
  onFailure: (failure: GatewayFailure | null) => void;
  /** The proposed file, and the key that belongs to it. */
  onProposed: (proposal: FileProposal, key: string) => void;
}

/** Lists what a key can run, and asks for a file with the chosen models. */
export function ModelsOfKey({ from, name, disabled, onReading, onFailure, onProposed }: ModelsOfKeyProps) {
  const t = useWords("providers");
  const [key, setKey] = useState("");
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<FileProposal | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [asking, setAsking] = useState<"list" | "forms" | null>(null);

  const ask = async (models: readonly string[]): Promise<FileProposal | null> => {
    onFailure(null);
    setAsking(models.length > 0 ? "forms" : "list");
    onReading(true);
    const body = { from, key: key.trim(), search: search.trim(), models: [...models] };
    const answer = await answerOf(act("POST /operator/file/proposal", { body }));
    setAsking(null);
    onReading(false);
    if (!answer.ok) onFailure(answer.error);
    return answer.ok ? answer.data : null;
  };
  const list = async () => {
    const proposal = await ask([]);
    if (proposal) setFound(proposal);
  };
  const canList = !disabled && key.trim() !== "";
  /** Enter lists the models: it must not import a file that is shown below. */
  const listOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (canList) void list();
  };
  const propose = async () => {
    const proposal = await ask(chosen);
    if (proposal) onProposed(proposal, key.trim());
  };
  // A model that another search found stays in the list while it is chosen.
  const listed = found?.listed ?? [];
  const names = [...new Set([...chosen, ...listed.map(({ id }) => id)])];
  const isFull = chosen.length >= proposalLimits.models;
  return (
    <div className="space-y-4">
      <PasswordField
        rule={providerFields.key}
        label={t("keyOfName", { name })}
        hint={t("theGatewayListsWhatThis")}
        what="key"
        // Password managers must not offer to save this value: it is not a password of this site.
        autoComplete="new-password"
        data-1p-ignore
        look="font-mono"
        value={key}
        onValue={setKey}
        onKeyDown={listOnEnter}
      />
      <InputField
        label={t("search")}
        hint={t("wordsInTheModelsNames")}
        value={search}
        onValue={setSearch}
        onKeyDown={listOnEnter}
      />
      <Button busy={asking === "list"} disabled={!canList} onClick={() => void list()}>
        {t("listModels")}
      </Button>
      <div aria-live="polite">
        {found && names.length === 0 && <p>{t("noModelMatchesSearchFor")}</p>}
        {found?.has_more && <p className="text-table text-muted">{t("moreModelsMatchSearchFor")}</p>}
      </div>
      {names.length > 0 && (
        <>
          <fieldset className="flex max-h-60 flex-col gap-1 overflow-y-auto rounded-panel border p-2">
            <legend className="px-1 text-table font-medium">{t("models")}</legend>
            {names.map((id) => (
              <Checkbox
                key={id}
                label={<span className="wrap-anywhere">{id}</span>}
                checked={chosen.includes(id)}
                disabled={isFull && !chosen.includes(id)}
                onChange={(event) =>
                  setChosen(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
            ))}
          </fieldset>
          <Button
            busy={asking === "forms"}
            disabled={disabled || chosen.length === 0}
            onClick={() => void propose()}
          >
            {t("reviewModels", { count: chosen.length })}
          </Button>
        </>
      )}
    </div>
  );
}
