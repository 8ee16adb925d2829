-- Locks the account and deletes its flows, except the changing flow and the link flow that it proves.
-- Locks: accounts (for no key update), flows.
create or replace function end_other_flows(p_account uuid, p_flow uuid) returns void language sql as $$
    select from accounts where id = p_account for no key update;
    delete from flows f
     where f.account_id = p_account and f.id is distinct from p_flow
       and not exists (select from flows own where own.id = p_flow and own.link_flow = f.id);
$$;
