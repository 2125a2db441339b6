/** Questions to the server; what it refuses becomes an error with its sentence. */

export const ROOT = document.body.dataset["root"] ?? "";

/** Whether there is a server: static pages have none, and compute what they can themselves. */
export const SERVER = document.body.dataset["static"] === undefined;

export async function asked<T>(path: string, options: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`${ROOT}${path}`, options);
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const content = (await answer.json().catch(() => ({}))) as T & { readonly sentence?: string };
  if (!answer.ok) throw new Error(content.sentence ?? `The server answers with ${answer.status}.`);
  return content;
}
