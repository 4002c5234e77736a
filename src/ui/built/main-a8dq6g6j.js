import{u}from"./main-sxvr2hpk.js";async function f(r){try{return await r(),!0}catch(t){return u(t),!1}}
export{f};
