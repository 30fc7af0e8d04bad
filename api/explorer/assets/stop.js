// The button that stops a list while its rows come in.
const stop = document.getElementById('stop');
if (stop && document.readyState === 'loading') {
  stop.hidden = false;
  stop.querySelector('button').addEventListener('click', () => window.stop());
  document.addEventListener('DOMContentLoaded', () => { stop.hidden = true; });
}
