import type { Config } from "tailwindcss";

const tones = ["good", "busy", "waiting", "warn", "bad", "gone"];

/** Colours are CSS variables that globals.css sets per theme; components never name a raw colour. */
const colors = {
  transparent: "transparent",
  current: "currentColor",
  inherit: "inherit",
  canvas: "var(--canvas)",
  panel: "var(--panel)",
  raised: "var(--raised)",
  sunken: "var(--sunken)",
  ink: "var(--ink)",
  muted: "var(--muted)",
  faint: "var(--faint)",
  line: "var(--line)",
  strong: "var(--strong)",
  accent: "var(--accent)",
  "accent-soft": "var(--accent-soft)",
  "on-accent": "var(--on-accent)",
  instance: "var(--instance)",
  "instance-soft": "var(--instance-soft)",
  "instance-line": "var(--instance-line)",
  "on-bad": "var(--on-bad)",
  "code-comment": "var(--code-comment)",
  "code-string": "var(--code-string)",
  "code-number": "var(--code-number)",
  "code-word": "var(--code-word)",
  ...Object.fromEntries(
    tones.flatMap((tone) => [
      [tone, `var(--${tone})`],
      [`${tone}-soft`, `var(--${tone}-soft)`],
    ]),
  ),
};

export default {
  content: ["./app/**/*.{ts,tsx}", "./components/**/*.{ts,tsx}", "./lib/**/*.{ts,tsx}"],
  theme: {
    colors,
    fontSize: {
      meta: ["0.75rem", "1rem"],
      table: ["0.8125rem", "1.25rem"],
      base: ["0.875rem", "1.375rem"],
      title: ["1rem", "1.5rem"],
      page: ["1.25rem", "1.75rem"],
    },
    fontFamily: {
      sans: ["Inter", "Inter Fallback", "ui-sans-serif", "system-ui", "sans-serif"],
      mono: ["JetBrains Mono", "ui-monospace", "SFMono-Regular", "monospace"],
    },
    extend: {
      // Links need a lighter accent than filled buttons in the dark theme.
      backgroundColor: { accent: "var(--accent-fill)" },
      borderRadius: { control: "8px", panel: "12px" },
      boxShadow: { float: "var(--shadow-float)" },
      screens: { phone: "480px", tablet: "720px", desktop: "1100px", split: "1200px", wide: "1280px" },
    },
  },
} satisfies Config;
