import { defineConfig } from "vite";

// The workbench, which only its own page loads.
export default defineConfig({
  build: {
    target: "es2022",
    outDir: "../src/grashof/view/bundle",
    emptyOutDir: false,
    cssCodeSplit: false,
    license: { fileName: "licenses-workbench.md" },
    rolldownOptions: { output: { banner: "/*! Contains three.js and CodeMirror, each under the MIT licence; see licenses-workbench.md of Grashof. */" } },
    lib: { entry: "src/app/workbench/workbench.ts", name: "grashofWorkbench", formats: ["iife"], fileName: () => "workbench.js", cssFileName: "workbench" },
  },
});
