-- Ends the flows of an account that has changed, but for the one that changes it and the link that this one is to prove.
create or replace function end_other_flows(p_account uuid, p_flow uuid) returns void language sql as $$
    delete from flows f
     where f.account_id = p_account and f.id is distinct from p_flow
       and not exists (select from flows own where own.id = p_flow and own.state->>'link_flow' = f.id::text);
$$;
