"use client";

import { EllipsisVertical } from "lucide-react";
import { type ContentsRule, scopes } from "#contract/accounts/constants.ts";
import type { ApiKey, OperatorKeyLimits } from "#contract/accounts/keys.ts";
import { useAccess } from "@/components/team/access";
import { Badge, StatusPill } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { Td, Tr } from "@/components/ui/list/table";
import { Menu } from "@/components/ui/menu";
import { Link } from "@/components/ui/page/link";
import { Time, useNow } from "@/components/ui/time";
import { useFocusHandover } from "@/components/ui/use-focus-handover";
import { formatCount } from "@/lib/format";
import { BudgetUse } from "./budget-use.tsx";
import { keyLook } from "./key-labels.ts";
import { tokenRateTexts } from "./token-rate-texts.ts";

const stateTickMs = 30_000;

interface KeyRowProps extends KeyActionsProps {
  /** The key's cost this month as text. */
  spent: string | undefined;
}

export function KeyRow({ apiKey, spent, onRequest }: KeyRowProps) {
  const look = keyLook(apiKey, useNow(stateTickMs));
  const limits = limitsOf(apiKey, useAccess().keepsContents);
  return (
    <Tr>
      <Td className="max-w-72 min-w-36">
        <span className="font-medium text-ink wrap-anywhere">{apiKey.name}</span>
        <code className="block text-meta text-muted">{apiKey.hint}</code>
        <span className="block text-meta text-muted wrap-anywhere">{belonging(apiKey)}</span>
      </Td>
      <Td>
        <StatusPill {...look} title={look.meaning} />
      </Td>
      <Td className="max-w-72" label="Permissions">
        <span className="flex flex-wrap gap-1">
          {shownScopes(apiKey).map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      </Td>
      <Td className="max-w-72 text-muted" label="Limits">
        {limits.length > 0 ? limits.join(", ") : "account limit"}
        {look.usable && <BudgetUse holder={apiKey} />}
      </Td>
      <Td numeric label="Cost this month">
        {spent ? (
          <Link href={`/usage?key_id=${apiKey.id}`} className="whitespace-nowrap text-accent hover:underline">
            {spent}
          </Link>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Td>
      <Td label="Last used">
        {apiKey.last_used_at ? (
          <Time value={apiKey.last_used_at} />
        ) : (
          <span className="text-muted">never</span>
        )}
      </Td>
      <Td from="desktop" label="Expires">
        {apiKey.expires_at ? <Time value={apiKey.expires_at} /> : <span className="text-muted">never</span>}
      </Td>
      <Td from="desktop" label="Created">
        <Time value={apiKey.created_at} />
      </Td>
      <Td className="text-right">{look.usable && <KeyActions apiKey={apiKey} onRequest={onRequest} />}</Td>
    </Tr>
  );
}

/** The usual scopes in one word if the key has all of them. */
function shownScopes({ scopes: has }: ApiKey): readonly string[] {
  if (!scopes.every((scope) => has.includes(scope))) return has;
  return ["everything", ...has.filter((scope) => !scopes.some((usual) => usual === scope))];
}

/** The owner of a key: a person, or the account with a responsible person. */
function belonging({ kind, member, answered_by: answers }: ApiKey): string {
  if (kind === "personal") return `Personal key of ${member?.name ?? "a former member"}`;
  return answers ? `Service key; responsible: ${answers.name}` : "Service key; responsible: nobody";
}

function limitsOf(key: ApiKey, keepsContents: ContentsRule): string[] {
  return [
    key.models && (key.models.length === 1 ? String(key.models[0]) : formatCount(key.models.length, "model")),
    key.regions &&
      (key.regions.length <= 2 ? key.regions.join(" and ") : formatCount(key.regions.length, "region")),
    key.allowed_origins &&
      (key.allowed_origins.length === 1
        ? `pages of ${key.allowed_origins[0]}`
        : `pages of ${formatCount(key.allowed_origins.length, "origin")}`),
    key.networks &&
      (key.networks.length === 1
        ? `from ${key.networks[0]}`
        : `from ${formatCount(key.networks.length, "network")}`),
    key.requests_per_minute !== null && `${key.requests_per_minute} requests/min`,
    ...tokenRateTexts(key),
    key.max_concurrency !== null && `${key.max_concurrency} concurrent`,
    key.operator_limits && `limited by the operator to ${operatorLimitText(key.operator_limits)}`,
    keepsContents === "chosen_keys" && key.contents === "on" && "contents kept",
    key.contents === "off" && "contents never kept",
  ].filter((part): part is string => typeof part === "string");
}

function operatorLimitText({ requests_per_minute, max_concurrency, reason }: OperatorKeyLimits): string {
  const limits = [
    requests_per_minute !== null && `${requests_per_minute} requests/min`,
    max_concurrency !== null && `${max_concurrency} concurrent`,
  ].filter(Boolean);
  return `${limits.join(" and ")} (“${reason}”)`;
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
  const holder = useFocusHandover<HTMLSpanElement>();
  const { may, userId, keepsContents } = useAccess();
  const manages = may("keys:manage");
  if (!manages && apiKey.member?.id !== userId) return null;
  const requested = (about: KeyRequest["about"]) => () => onRequest({ about, key: apiKey });
  const label = `Actions for ${apiKey.name}`;
  return (
    <span ref={holder}>
      <Menu
        label={label}
        trigger={<IconButton label={label} icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          ...(manages
            ? [
                { label: "Edit limits…", onSelect: requested("limits") },
                { label: "Edit budget…", onSelect: requested("budget") },
                { label: "Edit origins…", onSelect: requested("origins") },
                { label: "Edit networks…", onSelect: requested("networks") },
                ...(keepsContents === "off"
                  ? []
                  : [{ label: "Edit contents…", onSelect: requested("contents") }]),
              ]
            : []),
          { label: "Rotate…", onSelect: requested("rotate") },
          { label: "Revoke…", tone: "bad" as const, onSelect: requested("revoke") },
        ]}
      />
    </span>
  );
}
