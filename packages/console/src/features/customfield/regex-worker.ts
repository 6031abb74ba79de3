/** Tries a pattern apart from the page: one that never ends is stopped with the worker, and nothing freezes. */
addEventListener('message', (event: MessageEvent<{ readonly pattern: string; readonly text: string }>) => {
  const { pattern, text } = event.data
  postMessage(new RegExp(`^(?:${pattern})$`, 'u').test(text))
})
