export { ListSkeleton as default } from "@/components/ui/page/skeleton";
