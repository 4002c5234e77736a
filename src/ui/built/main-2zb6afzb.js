import{d}from"./main-5j7g0dmr.js";async function p(r){try{return await r(),!0}catch(t){return d(t),!1}}
export{p};
