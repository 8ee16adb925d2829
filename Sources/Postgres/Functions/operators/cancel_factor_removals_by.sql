-- Keeps the second factors whose removal an operator asked for who may ask for none any more. In the order of
-- sweep_factor_removals, which locks the same rows.
-- Locks: *cancel_factor_removal. In the order of their time, as sweep_factor_removals takes them.
create or replace function cancel_factor_removals_by(p_actor uuid, p_address text, p_request text) returns void
language plpgsql as $$
declare
    asked record;
begin
    for asked in select r.account_id from factor_removals r where r.asked_by = p_actor order by r.due_at, r.account_id
    loop
        perform cancel_factor_removal(asked.account_id, 'operator_withdrawn', null, null, p_address, p_request);
    end loop;
end $$;
