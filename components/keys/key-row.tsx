"use client";

import { EllipsisVertical } from "lucide-react";
import { type ContentsRule, scopes } from "#contract/accounts/constants.ts";
import type { ApiKey, OperatorKeyLimits } from "#contract/accounts/keys.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Badge, StatusPill } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { Td, Tr } from "@/components/ui/list/table";
import { Menu } from "@/components/ui/menu";
import { Link } from "@/components/ui/page/link";
import { Time, useNow } from "@/components/ui/time";
import { useFocusHandover } from "@/components/ui/use-focus-handover";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";
import { BudgetUse } from "./budget-use.tsx";
import { keyLook } from "./key-labels.ts";
import { tokenRateTexts } from "./token-rate-texts.ts";

const stateTickMs = 30_000;

interface KeyRowProps extends KeyActionsProps {
  /** The key's cost this month as text. */
  spent: string | undefined;
}

export function KeyRow({ apiKey, spent, onRequest }: KeyRowProps) {
  const t = useWords("keys");
  const look = keyLook(apiKey, useNow(stateTickMs), t);
  const limits = limitsOf(apiKey, useAccess().keepsContents, t);
  return (
    <Tr>
      <Td className="max-w-72 min-w-36">
        <span translate="no" className="font-medium text-ink wrap-anywhere">
          {apiKey.name}
        </span>
        <code className="block text-meta text-muted">{apiKey.hint}</code>
        <span className="block text-meta text-muted wrap-anywhere">{belonging(apiKey, t)}</span>
      </Td>
      <Td>
        <StatusPill {...look} title={look.meaning} />
      </Td>
      <Td className="max-w-72" label={t("permissions")}>
        <span className="flex flex-wrap gap-1">
          {hasUsual(apiKey) && <Badge>{t("everything")}</Badge>}
          {(hasUsual(apiKey) ? apiKey.scopes.filter((scope) => !isUsual(scope)) : apiKey.scopes).map(
            (scope) => (
              <Badge key={scope}>
                <span translate="no">{scope}</span>
              </Badge>
            ),
          )}
        </span>
      </Td>
      <Td className="max-w-72 text-muted" label={t("limits")}>
        {limits.length > 0 ? listText(t.language, limits, "plain") : t("accountLimit")}
        {look.usable && <BudgetUse holder={apiKey} />}
      </Td>
      <Td numeric label={t("costThisMonth")}>
        {spent ? (
          <Link href={`/usage?key_id=${apiKey.id}`} className="whitespace-nowrap text-accent hover:underline">
            {spent}
          </Link>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Td>
      <Td label={t("lastUsed")}>
        {apiKey.last_used_at ? (
          <Time value={apiKey.last_used_at} />
        ) : (
          <span className="text-muted">{t("never")}</span>
        )}
      </Td>
      <Td from="desktop" label={t("expires")}>
        {apiKey.expires_at ? (
          <Time value={apiKey.expires_at} />
        ) : (
          <span className="text-muted">{t("withoutEnd")}</span>
        )}
      </Td>
      <Td from="desktop" label={t("created")}>
        <Time value={apiKey.created_at} />
      </Td>
      <Td className="text-right">{look.usable && <KeyActions apiKey={apiKey} onRequest={onRequest} />}</Td>
    </Tr>
  );
}

const isUsual = (scope: string) => scopes.some((usual) => usual === scope);

/** Whether a key has all usual scopes, which are then one word. */
function hasUsual({ scopes: has }: ApiKey): boolean {
  return scopes.every((scope) => has.includes(scope));
}

/** The owner of a key: a person, or the account with a responsible person. */
function belonging({ kind, member, answered_by: answers }: ApiKey, t: Words<"keys">): string {
  if (kind === "personal")
    return member ? t("personalKeyOf", { name: member.name }) : t("personalKeyOfFormerMember");
  return answers ? t("serviceKeyWith", { name: answers.name }) : t("serviceKeyWithNobody");
}

function limitsOf(key: ApiKey, keepsContents: ContentsRule, t: Words<"keys">): string[] {
  const { models, regions, allowed_origins: origins, networks } = key;
  return [
    models && (models.length === 1 ? String(models[0]) : t("modelCount", { count: models.length })),
    regions &&
      (regions.length <= 2 ? listText(t.language, regions) : t("regionCount", { count: regions.length })),
    origins && t("pagesOf", { count: origins.length, origin: String(origins[0]) }),
    networks && t("fromNetworks", { count: networks.length, network: String(networks[0]) }),
    key.requests_per_minute !== null && t("requestRate", { count: key.requests_per_minute }),
    ...tokenRateTexts(key, t),
    key.max_concurrency !== null && t("concurrent", { count: key.max_concurrency }),
    key.operator_limits && operatorLimitText(key.operator_limits, t),
    keepsContents === "chosen_keys" && key.contents === "on" && t("contentsKept"),
    key.contents === "off" && t("contentsNeverKept"),
  ].filter((part): part is string => typeof part === "string");
}

function operatorLimitText(
  { requests_per_minute, max_concurrency, reason }: OperatorKeyLimits,
  t: Words<"keys">,
): string {
  const limits = [
    ...(requests_per_minute === null ? [] : [t("requestRate", { count: requests_per_minute })]),
    ...(max_concurrency === null ? [] : [t("concurrent", { count: max_concurrency })]),
  ];
  return t("limitedByTheOperator", { limits: listText(t.language, limits), reason });
}

/** The action that somebody chose for a key. */
export interface KeyRequest {
  about: "limits" | "budget" | "origins" | "networks" | "contents" | "rotate" | "revoke";
  key: ApiKey;
}

interface KeyActionsProps {
  apiKey: ApiKey;
  onRequest: (requested: KeyRequest) => void;
}

/** The actions for a key that is still valid. */
function KeyActions({ apiKey, onRequest }: KeyActionsProps) {
  const t = useWords("keys");
  const holder = useFocusHandover<HTMLSpanElement>();
  const { may, userId, keepsContents } = useAccess();
  const manages = may("keys:manage");
  if (!manages && apiKey.member?.id !== userId) return null;
  const requested = (about: KeyRequest["about"]) => () => onRequest({ about, key: apiKey });
  const label = t("actionsFor", { name: apiKey.name });
  return (
    <span ref={holder}>
      <Menu
        label={label}
        trigger={<IconButton label={label} icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          ...(manages
            ? [
                { label: t("editLimits"), onSelect: requested("limits") },
                { label: t("editBudget"), onSelect: requested("budget") },
                { label: t("editOrigins"), onSelect: requested("origins") },
                { label: t("editNetworks"), onSelect: requested("networks") },
                ...(keepsContents === "off"
                  ? []
                  : [{ label: t("editContents"), onSelect: requested("contents") }]),
              ]
            : []),
          { label: t("rotate"), onSelect: requested("rotate") },
          { label: t("revoke"), tone: "bad" as const, onSelect: requested("revoke") },
        ]}
      />
    </span>
  );
}
