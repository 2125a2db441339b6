import { defineConfig } from "vite";

// One script and one style sheet, which Python puts into every page; nothing is loaded from anywhere else.
export default defineConfig({
  build: {
    target: "es2022",
    outDir: "../src/grashof/view/bundle",
    emptyOutDir: true,
    cssCodeSplit: false,
    license: { fileName: "licenses.md" },
    lib: {
      entry: "src/main.ts",
      name: "grashof",
      formats: ["iife"],
      fileName: () => "viewer.js",
      cssFileName: "viewer",
    },
  },
});
