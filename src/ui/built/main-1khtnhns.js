import{d}from"./main-zk2hq13g.js";async function p(r){try{return await r(),!0}catch(t){return d(t),!1}}
export{p};
