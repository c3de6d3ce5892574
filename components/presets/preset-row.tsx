"use client";

import { EllipsisVertical } from "lucide-react";
import type { PresetSummary } from "#contract/presets.ts";
import { useAccess } from "@/components/team/access";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Menu } from "@/components/ui/menu";
import { Link } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { presetHref, sharedAddress } from "@/lib/presets/address";
import { versionLabel } from "@/lib/presets/version-label";

interface PresetRowProps {
  preset: PresetSummary;
  accountId: string;
  /** Whether there is an input to replace it with. */
  canReplace: boolean;
  onOpen: () => void;
  onReplace: () => void;
  onRename: () => void;
  onDelete: () => void;
}

/** A preset in the list; its name loads it into the form. */
export function PresetRow({ preset, accountId, canReplace, ...on }: PresetRowProps) {
  const { may } = useAccess();
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <Link
          href={presetHref(preset)}
          onClick={on.onOpen}
          className="block truncate leading-6 font-medium text-accent hover:underline"
        >
          {preset.name}
        </Link>
        <p className="text-meta text-muted">
          <Link
            href={`/presets/${preset.id}`}
            onClick={on.onOpen}
            className="inline-block leading-6 hover:text-ink hover:underline"
          >
            {versionLabel(preset)} <Time value={preset.updated_at} />
          </Link>
        </p>
      </div>
      {preset.schema_version !== preset.current_schema_version && (
        <Badge tone="warn" title="The operation's schema has changed since it was saved">
          Changed since
        </Badge>
      )}
      <CopyButton
        value={sharedAddress(window.location.origin, accountId, preset.id)}
        label={`Copy link to ${preset.name}`}
      />
      {may("presets:write") && (
        <Menu
          label={`Actions for ${preset.name}`}
          trigger={
            <IconButton
              size="sm"
              label={`Actions for ${preset.name}`}
              icon={<EllipsisVertical size={16} aria-hidden />}
            />
          }
          items={[
            { label: "Replace with this input", onSelect: on.onReplace, disabled: !canReplace },
            { label: "Rename", onSelect: on.onRename },
            { label: "Delete", tone: "bad", onSelect: on.onDelete },
          ]}
        />
      )}
    </div>
  );
}
