// The button that stops a list while its rows arrive. Rows that have arrived can be saved.
const stop = document.getElementById('stop');
if (stop && document.readyState === 'loading') {
  stop.hidden = false;
  stop.querySelector('button').addEventListener('click', () => {
    window.stop();
    stop.hidden = true;
    document.querySelector('.results').prepend(document.getElementById('stopped').content.cloneNode(true));
  });
  document.addEventListener('DOMContentLoaded', () => { stop.hidden = true; });
}
