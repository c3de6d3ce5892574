import {
  CirclePlay,
  Clapperboard,
  Gauge,
  Hourglass,
  type LucideIcon,
  MessageSquareText,
  RotateCw,
  Send,
  ShieldCheck,
  Terminal,
  TriangleAlert,
  Upload,
  Wrench,
} from "lucide-react";
import { headOf, page, titleOf } from "@/app/console-page";
import { Link } from "@/components/ui/page/link";
import { type GuideSlug, guideTitles } from "@/lib/guides/guide";
import { guideHref } from "@/lib/guides/guide-href";

const head = headOf({
  title: "guides",
  parts: ["guides"],
  description: "howToUse",
  actions: (t) => (
    <a href="/public/help" className="text-accent underline underline-offset-2">
      {t("allDocumentation")}
    </a>
  ),
});

export const generateMetadata = titleOf(head);

const icons: Record<GuideSlug, LucideIcon> = {
  "first-call": CirclePlay,
  streaming: MessageSquareText,
  clients: Terminal,
  agents: Wrench,
  "caps-per-task": Gauge,
  uploads: Upload,
  predictions: Clapperboard,
  webhooks: Send,
  idempotency: RotateCw,
  errors: TriangleAlert,
  gates: ShieldCheck,
  retention: Hourglass,
};

export default page(head, ({ t }) => (
  <ol className="grid gap-3 tablet:grid-cols-2 wide:grid-cols-3">
    {guideTitles.map(({ slug, title }) => {
      const Icon = icons[slug];
      return (
        <li key={slug} className="relative flex gap-3 rounded-panel border bg-panel p-4 hover:border-strong">
          <span className="grid size-9 shrink-0 place-items-center rounded-control bg-accent-soft text-accent">
            <Icon size={18} aria-hidden />
          </span>
          <div className="min-w-0">
            <h2 className="text-title font-semibold">
              <Link href={guideHref(slug)} className="after:absolute after:inset-0 after:rounded-panel">
                {t(title)}
              </Link>
            </h2>
            <p className="mt-0.5 text-muted">{t(`${title}About`)}</p>
          </div>
        </li>
      );
    })}
  </ol>
));
