import { PageHeader } from "@/components/ui/page-header";

export default function HomePage() {
  return <PageHeader title="Home" description="What happened in the last 24 hours." />;
}
