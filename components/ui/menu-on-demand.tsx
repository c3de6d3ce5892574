"use client";

import { type ComponentType, type ReactElement, useState } from "react";
import { useWords } from "#words";
import { IconButton } from "./button.tsx";
import { useToast } from "./toast.tsx";

interface MenuOnDemandProps<Props> {
  /** The button's props, the same as those of the menu's own button. */
  label: string;
  icon: ReactElement;
  size?: "sm";
  /** Loads the script of the menu, which then opens at once. */
  load: () => Promise<ComponentType<Props>>;
  /** The menu's props. */
  menu: Props;
}

/** The button of a menu. The menu's script is loaded only when the pointer touches or presses the button. */
export function MenuOnDemand<Props extends object>({
  label,
  icon,
  size,
  load,
  menu,
}: MenuOnDemandProps<Props>) {
  const t = useWords("ui");
  const { toast } = useToast();
  const [isLoading, setLoading] = useState(false);
  const [Menu, setMenu] = useState<ComponentType<Props> | null>(null);
  if (Menu) return <Menu {...menu} />;

  const prefetch = () => void load().catch(() => {});
  const open = async () => {
    setLoading(true);
    try {
      const loaded = await load();
      setMenu(() => loaded);
    } catch {
      toast({
        tone: "bad",
        title: t("menuNotLoaded"),
        description: t("checkConnection"),
      });
    }
    setLoading(false);
  };
  return (
    <IconButton
      label={label}
      icon={icon}
      {...(size && { size })}
      busy={isLoading}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={() => void open()}
    />
  );
}
