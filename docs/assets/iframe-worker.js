/* Browsers start no workers for pages that are files on disk. For those, a worker is a hidden frame instead,
   so that the search works there, too. */
(() => {
  if (location.protocol !== "file:") return
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const inside = this.frame.contentWindow
      const scripts = []
      inside.importScripts = (...urls) => Promise.all(urls.map(source => load(inside.document, source)))
      inside.postMessage = data => {
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        this.onmessage?.(event)
      }
      this.ready = load(inside.document, new URL(url, location.href).href)
    }
    postMessage(data) {
      this.ready.then(() => {
        const inside = this.frame.contentWindow
        inside.dispatchEvent(new inside.MessageEvent("message", { data }))
      })
    }
    terminate() { this.frame.remove() }
  }
  function load(document, source) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script")
      script.src = source
      script.onload = resolve
      script.onerror = reject
      document.body.append(script)
    })
  }
})()
