// Saying what became of a change, with a button that takes it back.
import { h, fill, said, wrong } from './dom.js';
import { post } from './api.js';

const soon = (done) => (done.running ? ' The crawl takes it up within seconds.' : ' It holds when the next crawl starts.');

export function tellOf(place, done, words, undo) {
  if (!done.changed) return fill(place, said('It was so already: nothing was changed.'));
  const line = said(words + soon(done));
  if (done.audit)
    line.append(' ', h('button', { class: 'small', onclick: async (event) => {
      event.target.disabled = true;
      try {
        const undone = await post('undo', { number: done.audit });
        undo?.();
        fill(place, said('Taken back.' + soon({ running: undone.running ?? done.running })));
      } catch (error) { fill(place, wrong(error.message)); }
    } }, 'Undo'));
  return fill(place, line);
}

// Carries a call out and says what came of it; the answer, or null if it was refused. `undo` is called once it is taken back.
export async function change(place, call, body, words, undo) {
  try {
    const done = await post(call, body);
    tellOf(place, done, words, undo);
    return done;
  } catch (error) {
    fill(place, wrong(error.message));
    return null;
  }
}
