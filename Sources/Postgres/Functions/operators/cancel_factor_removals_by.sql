-- Cancels the pending factor removals of an operator who lost the permission, in the lock order of
-- sweep_factor_removals.
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
