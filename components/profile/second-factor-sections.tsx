"use client";

import { Fingerprint, KeyRound, Pencil, Smartphone, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Passkey, SecondFactor } from "#contract/accounts/second-factor.ts";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { actionsHead, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { useAsked } from "@/components/ui/page/use-asked";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { SecondFactorQuestion } from "./second-factor-dialogs.tsx";

const SecondFactorDialogs = dynamic(
  () => import("./second-factor-dialogs.tsx").then((module) => module.SecondFactorDialogs),
  { ssr: false },
);

interface SecondFactorSectionsProps {
  state: SecondFactor;
  /** The console's address if browsers do not allow passkeys there. Null: they do. */
  passkeysBarredAt: string | null;
}

/** With fewer codes left than this, the page recommends new ones. */
const fewCodes = 3;

/** Passkeys, authenticator app and recovery codes of the signed-in person. */
export function SecondFactorSections({ state, passkeysBarredAt }: SecondFactorSectionsProps) {
  const t = useWords("profile");
  const router = usePageRouter();
  const { toast } = useToast();
  const [question, setQuestion] = useState<SecondFactorQuestion | null>(null);
  useAsked("passkey", passkeysBarredAt === null && (() => setQuestion({ about: "add-passkey" })));
  const { passkeys, totp, recovery_codes_left: codesLeft } = state;
  const hasAny = passkeys.length > 0 || totp !== null;

  return (
    <>
      <Section
        title={t("passkeys")}
        description={t("signInWithYourFingerprint")}
        actions={
          passkeysBarredAt === null && (
            <Button
              icon={<Fingerprint size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "add-passkey" })}
            >
              {t("addPasskey")}
            </Button>
          )
        }
      >
        {passkeysBarredAt !== null && (
          <p className="mb-2 rounded-control bg-warn-soft p-3">
            {t.rich(
              "passkeysBarred",
              { address: passkeysBarredAt },
              {
                mono: (text) => (
                  <span key="address" className="font-mono wrap-anywhere">
                    {text}
                  </span>
                ),
                code: (text) => <code key="setting">{text}</code>,
              },
            )}
          </p>
        )}
        {passkeys.length > 0 ? (
          <PasskeyTable
            passkeys={passkeys}
            onRename={(passkey) => setQuestion({ about: "rename-passkey", passkey })}
            onRemove={(passkey) => setQuestion({ about: "remove-passkey", passkey })}
          />
        ) : (
          <p className="text-muted">{t("noPasskeyYet")}</p>
        )}
      </Section>
      <Section
        title={t("authenticatorApp")}
        description={t("anAppOnYourPhone")}
        actions={
          <>
            <Button
              icon={<Smartphone size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "set-up-totp" })}
            >
              {totp ? t("setUpAnother") : t("setUpApp")}
            </Button>
            {totp && <Button onClick={() => setQuestion({ about: "remove-totp" })}>{t("removeApp")}</Button>}
          </>
        }
      >
        <p className="text-muted">
          {totp
            ? t.rich(
                totp.last_used_at ? "setUpAndUsed" : "setUpAt",
                {},
                {
                  made: () => <Time key="made" value={totp.created_at} />,
                  used: () => <Time key="used" value={totp.last_used_at} />,
                },
              )
            : t("notSetUp")}
        </p>
      </Section>
      {hasAny && (
        <Section
          title={t("recoveryCodes")}
          description={t("recoveryCodesAreForThe")}
          actions={
            <Button
              icon={<KeyRound size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "renew-codes" })}
            >
              {t("createNewCodes")}
            </Button>
          }
        >
          <p className={codesLeft < fewCodes ? "rounded-control bg-warn-soft p-3" : "text-muted"}>
            {t("codesLeft", { count: codesLeft, are: codesLeft < fewCodes ? "few" : "enough" })}
          </p>
        </Section>
      )}
      {question && (
        <SecondFactorDialogs
          question={question}
          state={state}
          onClose={() => setQuestion(null)}
          onChanged={(news) => {
            setQuestion(null);
            toast({ title: news });
            router.refresh();
          }}
        />
      )}
    </>
  );
}

interface PasskeyTableProps {
  passkeys: readonly Passkey[];
  onRename: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
}

function PasskeyTable({ passkeys, onRename, onRemove }: PasskeyTableProps) {
  const t = useWords("profile");
  return (
    <RowsTable
      label={t("passkeys")}
      rows={passkeys}
      columns={[
        {
          head: t("name"),
          cell: ({ name, synced }) => (
            <>
              <span className="font-medium wrap-anywhere">{name}</span>{" "}
              {synced && <Badge>{t("synced")}</Badge>}
            </>
          ),
        },
        { head: t("added"), cell: ({ created_at }) => <Time value={created_at} /> },
        {
          head: t("lastUsed"),
          cell: ({ last_used_at: used }) => (used ? <Time value={used} /> : t("never")),
        },
        {
          head: actionsHead,
          cell: (passkey) => (
            <RowControls className="w-full justify-end">
              <IconButton
                size="sm"
                label={t("renameName", { name: passkey.name })}
                icon={<Pencil size={14} aria-hidden />}
                onClick={() => onRename(passkey)}
              />
              <IconButton
                size="sm"
                label={t("removeName", { name: passkey.name })}
                icon={<Trash2 size={14} aria-hidden />}
                onClick={() => onRemove(passkey)}
              />
            </RowControls>
          ),
        },
      ]}
    />
  );
}
