"use client";

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Bookmark, BookOpenText, Box, CornerDownRight, MessagesSquare, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAccess } from "@/components/team/access";
import { Dialog } from "@/components/ui/dialog";
import { usePageRouter } from "@/components/ui/page/use-place";
import { callRoute } from "@/lib/browser/gateway";
import { guideHref } from "@/lib/guides/guide-href";
import { guideTitles } from "@/lib/guides/titles";
import { presetHref } from "@/lib/presets/address";
import { queryKeys } from "@/lib/query-keys";
import { goToId } from "./go-to-id.ts";
import { ShellIcon } from "./shell-icon.tsx";
import { useDestinations } from "./use-destinations.ts";

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const groupLook =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted";

/** Pages, catalog entries and anything with an id, from the keyboard. */
export function CommandPalette({ open, onOpenChange }: CommandPaletteProps) {
  const router = usePageRouter();
  const destinations = useDestinations();
  const [text, setText] = useState("");
  const models = useQuery({
    queryKey: queryKeys.models(),
    queryFn: () => callRoute("GET /models", { query: { aliases: false } }),
    staleTime: 5 * 60_000,
    enabled: open,
  });
  const { may } = useAccess();
  const mostPresets = { limit: 100 };
  const presets = useQuery({
    queryKey: queryKeys.presets(mostPresets),
    queryFn: () => callRoute("GET /presets", { query: mostPresets }),
    enabled: open && may("presets:read"),
  });
  const conversations = useQuery({
    queryKey: queryKeys.conversations({ ...mostPresets, for: "palette" }),
    queryFn: () => callRoute("GET /conversations", { query: mostPresets }),
    enabled: open && may("conversations:read"),
  });
  const found = goToId(text);

  const go = (href: string) => {
    onOpenChange(false);
    setText("");
    router.push(href);
  };

  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Search or go to" hideHeader>
      <Command label="Search or go to" loop filter={rank} className="flex max-h-[60vh] flex-col">
        <div className="flex items-center gap-2 border-b px-4">
          <Search size={16} aria-hidden className="text-muted" />
          <Command.Input
            data-autofocus
            value={text}
            onValueChange={setText}
            placeholder="A page, a preset, a guide, a model, or an id such as pred_…"
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
          />
        </div>
        <Command.List className="min-h-0 overflow-y-auto p-2">
          <Command.Empty className="px-2 py-6 text-center text-muted">
            No results. To open something by its id, paste the full id.
          </Command.Empty>
          {found && (
            <Command.Group forceMount heading="Go to" className={groupLook}>
              <Entry
                // With what was typed: the list shows what has its words.
                value={`${found.id} ${text}`}
                onSelect={() => go(found.href)}
                icon={<CornerDownRight size={15} aria-hidden />}
              >
                {found.label} <code className="text-muted">{found.id}</code>
              </Entry>
            </Command.Group>
          )}
          <Command.Group heading="Pages" className={groupLook}>
            {[
              ...destinations,
              { label: "Settings", href: "/settings", icon: null },
              { label: "Your profile", href: "/settings/profile", icon: null },
            ].map(({ label, href, icon }) => (
              <Entry
                key={href}
                value={label}
                onSelect={() => go(href)}
                icon={icon ? <ShellIcon name={icon} size={15} /> : <Box size={15} aria-hidden />}
              >
                {label}
              </Entry>
            ))}
          </Command.Group>
          {presets.data?.ok && presets.data.data.data.length > 0 && (
            <Command.Group heading="Presets" className={groupLook}>
              {presets.data.data.data.map((preset) => (
                <Entry
                  key={preset.id}
                  value={`${preset.name} preset ${preset.model} ${preset.id}`}
                  onSelect={() => go(presetHref(preset))}
                  icon={<Bookmark size={15} aria-hidden />}
                >
                  {preset.name} <span className="text-muted">{preset.model}</span>
                </Entry>
              ))}
            </Command.Group>
          )}
          {conversations.data?.ok && conversations.data.data.data.length > 0 && (
            <Command.Group heading="Conversations" className={groupLook}>
              {conversations.data.data.data.map((conversation) => (
                <Entry
                  key={conversation.id}
                  value={`${conversation.name} conversation ${conversation.model} ${conversation.id}`}
                  onSelect={() => go(`/conversations/${conversation.id}`)}
                  icon={<MessagesSquare size={15} aria-hidden />}
                >
                  {conversation.name} <span className="text-muted">{conversation.model}</span>
                </Entry>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Guides" className={groupLook}>
            {guideTitles.map(({ slug, title, summary }) => (
              <Entry
                key={slug}
                value={`${title} guide ${summary}`}
                onSelect={() => go(guideHref(slug))}
                icon={<BookOpenText size={15} aria-hidden />}
              >
                {title} <span className="text-muted">{summary}</span>
              </Entry>
            ))}
          </Command.Group>
          {models.data?.ok && (
            <Command.Group heading="Models" className={groupLook}>
              {models.data.data.data.map((model) => (
                <Entry
                  key={model.id}
                  value={`${model.id} ${model.api_types.join(" ")} ${model.modality}`}
                  onSelect={() => go(`/catalog/${model.id}`)}
                  icon={<Box size={15} aria-hidden />}
                >
                  {model.id} <span className="text-muted">{model.api_types.join(", ")}</span>
                </Entry>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

/** Every word must occur; what begins with the first one comes first. */
function rank(value: string, search: string): number {
  const text = value.toLowerCase();
  const [first = "", ...rest] = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (![first, ...rest].every((word) => text.includes(word))) return 0;
  return text.startsWith(first) ? 1 : 0.5;
}

interface EntryProps {
  value: string;
  onSelect: () => void;
  icon: ReactNode;
  children: ReactNode;
}

function Entry({ value, onSelect, icon, children }: EntryProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-[6px] px-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-ink"
    >
      <span className="text-muted">{icon}</span>
      <span className="min-w-0 truncate">{children}</span>
    </Command.Item>
  );
}
