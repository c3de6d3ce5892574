export { ListSkeleton as default } from "@/components/ui/skeleton";
