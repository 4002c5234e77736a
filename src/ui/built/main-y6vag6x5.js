import{d}from"./main-q0s6j773.js";async function p(r){try{return await r(),!0}catch(t){return d(t),!1}}
export{p};
