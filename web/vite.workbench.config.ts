import { defineConfig } from "vite";

// The workbench, which only its own page loads.
export default defineConfig({
  build: {
    target: "es2022",
    outDir: "../src/grashof/view/bundle",
    emptyOutDir: false,
    cssCodeSplit: false,
    license: { fileName: "licenses-workbench.md" },
    lib: { entry: "src/app/workbench/workbench.ts", name: "grashofWorkbench", formats: ["iife"], fileName: () => "workbench.js", cssFileName: "workbench" },
  },
});
