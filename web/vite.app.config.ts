import { defineConfig } from "vite";

// The script of served pages, beside the viewer of single ones.
export default defineConfig({
  build: {
    target: "es2022",
    outDir: "../src/grashof/view/bundle",
    emptyOutDir: false,
    cssCodeSplit: false,
    lib: { entry: "src/app/app.ts", name: "grashofApp", formats: ["iife"], fileName: () => "app.js", cssFileName: "app" },
  },
});
