"use client";

import { type FormEvent, useState } from "react";
import type { AccountNetworks, AccountNetworksUpdate } from "#contract/accounts/networks.ts";
import { useWords } from "#words";
import { linesOf } from "@/components/keys/key-values";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { TextareaField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

const lists = [
  { name: "sign_in", label: "peopleSignInFrom", hint: "peopleNetworksHint" },
  { name: "keys", label: "keysAreUsedFrom", hint: "keyNetworksHint" },
] as const;

/** For owners: the networks from which people and keys may use the account. Warns before they lock themselves out. */
export function NetworksForm({ networks }: { networks: AccountNetworks }) {
  const t = useWords("settings");
  const router = usePageRouter();
  const { toast } = useToast();
  /** What was typed, while it would lock the owner out. */
  const [risky, setRisky] = useState<AccountNetworksUpdate | null>(null);
  /** What is wrong with a list. */
  const [fault, setFault] = useState<{ name: string; message: string } | null>(null);
  const { busy, failure, show, send } = useSend({
    names: lists.map(({ name }) => name),
    setError: (name, { message }) => setFault({ name, message }),
  });

  const save = async (body: AccountNetworksUpdate) => {
    setFault(null);
    const saved = await send(() => answerOf(act("PATCH /account/networks", { body })));
    if (!saved.ok) {
      if (saved.error.code !== "own_address_outside") return;
      show(null);
      setRisky(body);
      return;
    }
    setRisky(null);
    toast({ title: t("networksSaved") });
    router.refresh();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const listOf = (name: string) => linesOf(String(typed.get(name)));
    void save({ sign_in: listOf("sign_in"), keys: listOf("keys") });
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {failure && !risky && <ErrorPanel error={failure} />}
      <p className="text-table">
        {t.rich(
          "yourAddressNow",
          { address: networks.address },
          {
            code: (text) => (
              <code key="address" translate="no">
                {text}
              </code>
            ),
          },
        )}
      </p>
      {lists.map(({ name, label, hint }) => (
        <TextareaField
          key={name}
          label={t(label)}
          hint={t(hint)}
          error={name === fault?.name ? fault.message : null}
          name={name}
          defaultValue={networks[name]?.join("\n")}
          placeholder="203.0.113.0/24"
          rows={2}
          autoComplete="off"
          mono
        />
      ))}
      <Button type="submit" className="self-start" busy={busy}>
        {t("saveNetworks")}
      </Button>
      <ConfirmDialog
        open={risky !== null}
        onOpenChange={() => setRisky(null)}
        title={t("lockYourselfOut")}
        body={t.rich(
          "youWouldBeLockedOut",
          { address: networks.address },
          { code: (text) => <code key="command">{text}</code> },
        )}
        confirmLabel={t("saveAndLockMeOut")}
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={() => risky && void save({ ...risky, confirmed: true })}
      />
    </form>
  );
}
